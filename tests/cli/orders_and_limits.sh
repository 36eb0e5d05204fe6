cp "$SOURCE"/examples/data/iris.csv .
grep -v setosa iris.csv >two.csv
sed -E 's/versicolor|virginica/other/' iris.csv >setosa.csv
keys="outcome reason errors updates passes verdict"
for order in cyclic first random worst; do
  json_of "$keys coefficients" linpred fit halfspace setosa.csv --method perceptron --order $order
  json_of "$keys" linpred fit halfspace two.csv --method perceptron --order $order --max-passes 20 --max-updates 500
done
json_of "$keys coefficients" linpred fit halfspace setosa.csv --method perceptron --order random --seed 2
json_of "$keys coefficients" linpred fit halfspace setosa.csv --method perceptron --order random --seed 2
json_of "$keys coefficients" linpred fit halfspace setosa.csv --method perceptron --order random --seed 0
json_of "$keys" linpred fit halfspace two.csv --method perceptron --max-updates 7
json_of "$keys" linpred fit halfspace two.csv --method perceptron --max-passes 2
json_of "outcome reason" linpred fit halfspace two.csv --method perceptron --max-seconds 0 --max-passes 1000000
json_of "$keys coefficients" linpred fit halfspace setosa.csv --method perceptron --mistake sign
json_of "$keys coefficients" linpred fit halfspace setosa.csv --method perceptron --no-intercept
run linpred fit halfspace two.csv --method perceptron --max-passes 3 --max-updates 50 --max-seconds 60
