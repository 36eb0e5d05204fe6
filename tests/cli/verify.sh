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
