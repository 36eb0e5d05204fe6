# Every method on data that is separable, and on data that is not. auto: the largest margin if separable, else pocket.
cp "$SOURCE"/examples/data/iris.csv .
sed -E 's/versicolor|virginica/other/' iris.csv >setosa.csv
xor >xor.csv
separable >d.csv
for method in auto perceptron pocket lp margin; do
  run linpred fit halfspace d.csv --method $method -o d.json
  run linpred verify d.json d.csv
  case $method in lp | margin) limit= ;; *) limit="--max-passes 20" ;; esac
  # shellcheck disable=SC2086
  run linpred fit halfspace xor.csv --method $method $limit -o xor.json
  run linpred verify xor.json xor.csv
done
json_of "outcome method errors verdict witness_rows witness_weights" linpred fit halfspace xor.csv
for method in auto lp margin; do
  run linpred fit halfspace setosa.csv --method $method
done
run linpred fit halfspace setosa.csv --method margin --norm without-intercept
run linpred fit halfspace setosa.csv --method margin --no-intercept
run linpred fit halfspace setosa.csv --method margin --no-intercept --norm without-intercept
run linpred fit halfspace setosa.csv --method perceptron --bound
# Data that is separable with an offset, but not through the origin.
printf '%s\n' x,y 1,-1 2,1 >offset.csv
run linpred fit halfspace offset.csv
run linpred fit halfspace offset.csv --no-intercept
# The loss and the intercept's sign: a loss beyond the range of doubles is not shown, an intercept of -0 is 0.
printf '%s\n' x,z,y 1.7e308,1,a -1.7e308,2,b 1.6e308,-1e308,b 3,1e308,a >huge.csv
run linpred fit halfspace huge.csv --method pocket
run linpred fit halfspace huge.csv
