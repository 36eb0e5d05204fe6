separable >d.csv
xor >xor.csv
run linpred fit halfspace d.csv -o good.json --no-verify
run linpred verify good.json d.csv
run linpred verify good.json d.csv --json
sed 's/^2,1,1/2,1,-1/' d.csv >flipped.csv
run linpred verify good.json flipped.csv
json_of "verdict same_data errors_found worst_row" linpred verify good.json flipped.csv
{ cat d.csv; echo 5,5,1; } >longer.csv
run linpred verify good.json longer.csv
run linpred fit halfspace xor.csv --method perceptron --max-passes 3 -o wrong.json
run linpred verify wrong.json xor.csv
run linpred verify good.json xor.csv
printf 'x1,x2\n1,2\n' >unlabelled.csv
run linpred verify good.json unlabelled.csv
printf 'x1,x2,y\n1,2,3\n' >third.csv
run linpred verify good.json third.csv
# The rows of the fit in another order: what holds of the model holds, its certificate names rows by their numbers.
turn() { (head -1 "$1"; tail -n +2 "$1" | tac); }
cp "$SOURCE"/examples/data/iris.csv "$SOURCE"/examples/data/stackloss.csv .
sed -E 's/versicolor|virginica/other/' iris.csv >setosa.csv
grep -v setosa iris.csv >two.csv
check_turned() { # DATA COMMAND…
  linpred fit "${@:2:1}" "$1" "${@:3}" -o turned.json >/dev/null
  turn "$1" >turned.csv
  json_of "verdict same_data" linpred verify turned.json turned.csv
  json_of "verdict same_data" linpred verify turned.json "$1"
}
check_turned setosa.csv halfspace
check_turned two.csv halfspace
check_turned two.csv halfspace --method lp
check_turned two.csv halfspace --method exact
check_turned stackloss.csv regression --loss absolute
check_turned stackloss.csv regression
# A figure that contradicts the model refutes it, whatever the data.
linpred fit regression stackloss.csv --loss absolute -o absolute.json >/dev/null
sed '3s/80/81/' stackloss.csv >other.csv
json_of "verdict same_data" linpred verify absolute.json other.csv

# A perceptron at its limit claims that more updates would end it: integers separate the rows, though the model does not.
printf '%s\n' x,y 1,a 2,a 3,b 4,b >limit.csv
run linpred fit halfspace limit.csv --method perceptron --max-passes 2 -o limit.json
json_of "outcome separation errors direction verdict" linpred fit halfspace limit.csv --method perceptron --max-passes 2
run linpred verify limit.json limit.csv
run_line 'awk "/\"direction\": \[/ { getline line; print; sub(/\"[0-9-]*\"/, \"\\\"-9\\\"\", line); print line; next } 1" limit.json >other.json; linpred verify other.json limit.csv --accept-edited | head -4'

# Each number that a largest margin states is judged.
linpred fit halfspace setosa.csv --norm without-intercept -o margin.json >/dev/null
for figure in margin margin_without_intercept largest_margin norm update_bound; do
  run_line "sed -E 's/(\"$figure\": )[0-9.e-]+/\\10.25/' margin.json >forged.json; linpred verify forged.json setosa.csv --accept-edited | grep '  REFUTED'"
done
