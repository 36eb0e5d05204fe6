# From a file to a proved halfspace, and a file that no halfspace separates.
separable >d.csv
xor >xor.csv
run linpred fit halfspace d.csv --method perceptron -o model.json
run cat model.json
run linpred fit halfspace xor.csv --method perceptron --max-passes 10
run linpred fit halfspace xor.csv --method perceptron --max-passes 10 --no-verify
run linpred fit halfspace d.csv --method perceptron --json
run linpred fit halfspace xor.csv --json --method perceptron --max-passes 3
run linpred fit halfspace d.csv --no-verify --quiet --json
run_line 'COLUMNS=70 linpred fit halfspace d.csv --method perceptron | sed "/^coeff/,/^  (int/d"'
run_line 'COLUMNS=70 linpred inspect model.json | sed -n "/^claims/,\$p"'
