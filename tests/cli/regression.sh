data=$SOURCE/tests/data
cp "$data"/strd/Longley.csv "$data"/strd/Filip.csv "$data"/lad/stackloss.csv .
run linpred fit regression Longley.csv -t y -o longley.json
run linpred verify longley.json Longley.csv
run linpred evaluate longley.json Longley.csv
run linpred predict longley.json Longley.csv
run linpred fit regression Filip.csv -t y --degree 10 -o filip.json
run linpred evaluate filip.json Filip.csv --json
run linpred fit regression stackloss.csv -t stack_loss --loss absolute -o absolute.json
run linpred verify absolute.json stackloss.csv
json_of "outcome unique rank objective verdict" linpred fit regression stackloss.csv -t stack_loss --loss absolute --quantile 0.25
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
run linpred predict longley.json Longley.csv --what label
