# What is beyond the range of doubles is said in words; nan and inf are never printed.
printf '%s\n' x,y 0,1 1,2 2,1e200 >squares.csv
run linpred fit regression squares.csv -t y -o squares.json
run test -e squares.json
printf '%s\n' x,y 0,1 1,2 2,1e200 3,5 >absolute.csv
run linpred fit regression absolute.csv -t y --loss absolute
printf '%s\n' x,y 0,1 1,2 2,1.2e154 3,1e154 4,1 5,3 6,-1.3e154 >squares_only.csv
run linpred fit regression squares_only.csv -t y --loss absolute
printf '%s\n' x 1e308 1.2e308 1.5e308 >large.csv
run linpred inspect large.csv

# A model that lacks a number which it must state is refused.
printf '%s\n' x,y 0,1 1,2 2,4 >small.csv
linpred fit regression small.csv -t y --quiet -o small.json >/dev/null
sed 's/"mean_absolute_error": [^,]*, //' small.json >lacks.json
run linpred inspect lacks.json --accept-edited
sed 's/"residual_sd": [^,]*, //' small.json >lacks.json
run linpred inspect lacks.json --accept-edited
