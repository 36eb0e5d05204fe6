cp "$SOURCE"/examples/data/{longley,cars}.csv .
run linpred fit regression cars.csv --quiet -o cars.json
printf 'speed\n10\n20\n100\n' >new.csv
run linpred predict cars.json new.csv --interval
run linpred predict cars.json new.csv --interval --confidence 0.5
json_of "rows confidence scores low high" linpred predict cars.json new.csv --interval
run linpred predict cars.json new.csv --interval -o out.csv
run cat out.csv
linpred fit regression longley.csv -t Employed --quiet -o longley.json >/dev/null
run_line "linpred predict longley.json longley.csv --interval | head -n 3"
printf 'a,b,c,y\n1,2,3,1\n2,1,3,2.5\n7,1,8,9\n4,4,8,0\n1,0,1,3\n' >dependent.csv
printf 'a,b,c\n1,2,3\n1,2,4\n2,2,4\n' >rows.csv
linpred fit regression dependent.csv --quiet -o dependent.json >/dev/null
run linpred predict dependent.json rows.csv --interval
json_of "scores low high" linpred predict dependent.json rows.csv --interval
run linpred predict cars.json new.csv --confidence 0.9
run linpred predict cars.json new.csv --interval --confidence 95
linpred fit regression cars.csv --l2 1 --quiet -o ridge.json >/dev/null
run linpred predict ridge.json new.csv --interval
linpred fit regression cars.csv --loss absolute --quiet -o absolute.json >/dev/null
run linpred predict absolute.json new.csv --interval
printf 'a,y\n1,2\n2,3\n' >two.csv
linpred fit regression two.csv --quiet -o two.json >/dev/null
run linpred predict two.json two.csv --interval
separable >separable.csv
linpred fit halfspace separable.csv --quiet -o halfspace.json >/dev/null
run linpred predict halfspace.json separable.csv --interval
run linpred fit regression cars.csv --confidence 0.5
# Weights count copies: three rows of weight 1/2 are fewer than two coefficients need.
printf '%s\n' x,y,w 1,1,0.5 2,3,0.5 3,4,0.5 >light.csv
linpred fit regression light.csv -t y --weights w --quiet -o light.json >/dev/null
run linpred predict light.json light.csv --interval
