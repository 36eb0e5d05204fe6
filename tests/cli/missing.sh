printf '%s\n' x1,x2,kind,y 1,2,a,no 2,NA,b,no ,5,a,yes 6,6,,yes 7,5,b,yes >m.csv
for policy in fail drop mean; do
  run linpred fit halfspace m.csv --missing $policy --drop kind
  run linpred fit halfspace m.csv --missing $policy
done
run linpred fit halfspace m.csv --features x1 --missing mean -o mean.json
run linpred fit halfspace m.csv --missing drop -o drop.json
run linpred fit halfspace m.csv --features x2 --missing mean -o mean2.json
run linpred verify mean.json m.csv
run linpred verify drop.json m.csv
run linpred evaluate drop.json m.csv
run linpred predict drop.json m.csv
run linpred predict drop.json m.csv --what score --quiet
run linpred predict mean.json m.csv --what score
json_of "rows labels" linpred predict drop.json m.csv
# One row only, and nothing in the column that is missing: the recipe of the model still says what to do.
printf 'x1\nNA\n' >one.csv
run linpred predict mean.json one.csv
printf 'x1,x2,kind\n1,NA,a\n' >row.csv
run linpred predict drop.json row.csv
printf '%s\n' x1,y 1,0 2,1 >whole.csv
linpred fit halfspace whole.csv -o whole.json >out.txt
run linpred predict whole.json one.csv
printf 'x1\n1\nNA\n' >some.csv
run linpred predict whole.json some.csv
printf '%s\n' x1,y 1,0 2, 3,1 >label.csv
run linpred fit halfspace label.csv
run linpred fit halfspace label.csv --missing mean
run linpred fit halfspace label.csv --missing drop -o label.json
run linpred predict label.json label.csv
run linpred evaluate label.json label.csv
printf '%s\n' x1,x2,y 1,,0 2,NA,1 >empty.csv
run linpred fit halfspace empty.csv
run linpred fit halfspace empty.csv --missing mean
run linpred fit halfspace empty.csv --missing drop
run linpred fit halfspace empty.csv --drop x2
# Rows that are left out do not count among the labels.
printf '%s\n' x1,y 1,a 2,b NA,c >third.csv
run_line 'linpred fit halfspace third.csv --missing drop --json | json_check rows labels'
printf '%s\n' x1,y 1,a 2,a NA,b >class.csv
run linpred fit halfspace class.csv --missing drop
