cp "$SOURCE"/examples/data/{longley,cars,stackloss}.csv .
run linpred fit regression longley.csv -t Employed -o longley.json
run linpred verify longley.json longley.csv
run linpred evaluate longley.json longley.csv
run linpred predict longley.json longley.csv
run linpred fit regression cars.csv --degree 4 -o cars.json
run linpred evaluate cars.json cars.csv --json
run linpred fit regression stackloss.csv -t stack.loss --loss absolute -o absolute.json
run linpred verify absolute.json stackloss.csv
json_of "outcome unique rank objective verdict" linpred fit regression stackloss.csv -t stack.loss --loss absolute --quantile 0.25
printf 'a,b,c,y\n1,2,3,1\n2,1,3,2.5\n7,1,8,9\n4,4,8,0\n1,0,1,3\n' >dependent.csv
run linpred fit regression dependent.csv
json_of "dependencies standard_errors" linpred fit regression dependent.csv
run linpred fit regression dependent.csv --l2 0.5 --no-intercept
run linpred fit regression dependent.csv --degree 2 --on a --features a
run linpred verify longley.json dependent.csv
run linpred fit regression dependent.csv --positive 1
run linpred fit regression dependent.csv --on a
run linpred fit regression dependent.csv --quantile 0.5
run linpred fit regression dependent.csv --loss absolute --l2 1
run linpred predict longley.json longley.csv --what label
# All residuals are 0: there are no tests, in the text and in JSON alike.
printf '%s\n' x,y 1,3 2,3 3,3 4,3 >same.csv
run linpred fit regression same.csv
json_of "standard_errors t p no_tests r_squared f_p_value" linpred fit regression same.csv
