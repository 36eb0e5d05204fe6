# Logistic regression: an optimum, no minimum, a penalty; probabilities and how good they are.
printf '%s\n' age,smoker,ill 31,no,0 45,yes,1 52,no,0 38,yes,0 61,yes,1 29,no,0 57,no,1 48,yes,0 66,no,1 35,yes,1 50,no,0 43,no,1 >d.csv
printf '%s\n' x,z,y 1,3,a 2,0,a 3,-1,a 3,4,a 3,1,b 4,0,b 5,2,b 6,7,b 10,3,b 11,4,b >quasi.csv
printf '%s\n' x,y 1,a 2,a 4,b 5,b >separated.csv
printf '%s\n' x,twice,y 1,2,a 2,4,b 3,6,a 4,8,b 5,10,b 0,0,a >dependent.csv

json_of "outcome separation method rank unique verdict errors formula" linpred fit logistic d.csv
run_line 'linpred fit logistic d.csv -o model.json | grep -v -E "method|outcome|value|verified"'
run_line 'linpred verify model.json d.csv | cut -d: -f1'
run_line 'linpred inspect model.json | grep -v outcome'
json_of "standard_errors" linpred inspect model.json
run_line 'sed -e "s/\"standard_errors\": \[[^,]*,/\"standard_errors\": [/" model.json >short.json; linpred inspect short.json --accept-edited'
run_line 'linpred predict model.json d.csv --what probability | cut -c1-9 | head -4'
run linpred evaluate model.json d.csv
run_line 'linpred fit logistic d.csv --start model.json --l2 0.1 --class-weights balanced | grep -E "objective|no standard"'

run_line 'linpred fit logistic quasi.csv -o none.json | grep -v ^method'
run ls
# Through the origin the direction has no part for the 1.
printf "%s\n" x,y 1,b 2,b -1,a >origin.csv
run_line 'linpred fit logistic origin.csv --no-intercept | grep -E "outcome|direction|verified|^  [A-Z]"'
json_of "outcome separation direction settled_rows verdict coefficients" linpred fit logistic separated.csv
json_of "outcome separation verdict l2" linpred fit logistic separated.csv --l2 0.01
json_of "outcome rank unique dependencies verdict standard_errors" linpred fit logistic dependent.csv

run linpred fit logistic d.csv --class-weights 1
run linpred fit logistic d.csv --rate 2
run linpred fit logistic d.csv --method pocket
run linpred fit halfspace d.csv --l2 1
printf '%s\n' x,y 1,a 2,a >one.csv
run linpred fit logistic one.csv --l2 1
linpred fit halfspace separated.csv -o half.json >/dev/null
run linpred predict half.json separated.csv --what probability
printf 'x,y\n1,1\n2,-1\n3,1\n4,-1\n' >one.csv
json_of "outcome method verdict" linpred fit logistic one.csv --method newton-cg --l2 1

# Quasi-separated: a direction, and rows of the file that no halfspace separates. Rows left out do not count.
printf '%s\n' x,z,y 1,3,a ,0,a 2,0,a 3,-1,a 3,,b 3,4,a 3,1,b 4,0,b 5,2,b >gaps.csv
json_of "separation direction settled_rows witness_rows witness_weights verdict" linpred fit logistic gaps.csv --missing drop
# One column tells that there is no minimum, so Newton's method is not begun.
printf '%s\n' x,y 1,0 2,0 3,1 3,0 4,1 5,1 >quasi.csv
run_line 'linpred fit logistic quasi.csv | grep -E "^method|^objective"'
run_line 'linpred fit logistic quasi.csv --no-intercept --l2 1 | grep ^objective'
# A gap far below the rounding of the objective refutes nothing.
printf '%s\n' x,y 5,0 5,1 5,1 5,0 5,1 >constant.csv
run_line 'linpred fit logistic constant.csv --l2 1 | grep ^verified'

# Weights whose products would leave the range of doubles are refused: their sums would hold a few bits only.
printf '%s\n' x,w,y 1,2e-320,1 2,2e-320,1 0,2e-320,0 5,2e-320,1 >tiny_weights.csv
run linpred fit logistic tiny_weights.csv --weights w --l2 0.001
run linpred fit halfspace tiny_weights.csv --weights w
run linpred fit logistic tiny_weights.csv --drop w --l2 1 --class-weights 5e-324:5e-324
# Where every score is 0, all rows are on the boundary: the count alone would say that all are wrong.
xor >xor.csv
run_line 'linpred fit logistic xor.csv | grep ^errors'
