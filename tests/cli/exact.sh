# The fewest mistakes, proved: costs, weights, the origin, a stop, and a certificate that was tampered with.
cp "$SOURCE"/examples/data/iris.csv .
grep -v setosa iris.csv >two.csv
xor >xor.csv
separable >d.csv
run linpred fit halfspace xor.csv --method exact -o xor.json
run linpred verify xor.json xor.csv
run linpred fit halfspace d.csv --method exact
run linpred fit halfspace two.csv --method exact -o two.json
run linpred verify two.json two.csv
json_of "outcome errors cost lower_bound objective verdict lower_bound_proved" linpred fit halfspace two.csv --method exact --cost 1:5
json_of "outcome errors lower_bound verdict" linpred fit halfspace xor.csv --method exact --no-intercept
run_line "sed 's/\"multipliers\": \[1/\"multipliers\": [0.25/' xor.json >edited.json"
run linpred verify edited.json xor.csv --accept-edited
run_line "sed -E '/\"rows\": \[/s/\"weights\": \[\"[0-9]+\"/\"weights\": [\"7\"/' xor.json >edited.json"
run linpred verify edited.json xor.csv --accept-edited
run linpred fit halfspace xor.csv --method exact --cost 1
run linpred fit halfspace xor.csv --method pocket --cost 1:2
# Costs that are far apart, too far, and beyond all numbers.
printf 'x,y\n1,a\n1,a\n1,b\n1,b\n1,b\n' >same.csv
run linpred fit halfspace same.csv --method exact --cost 1:1e12
run linpred fit halfspace same.csv --method exact --cost 1:1e20
run linpred fit halfspace same.csv --method exact --cost 1:1e308
printf 'w,x,y\n1e308,1,a\n1e308,2,b\n1e308,3,a\n' >heavy.csv
for task in halfspace ball logistic; do
    run linpred fit $task heavy.csv --weights w
done
run linpred fit regression heavy.csv --weights w --target x
printf 'w,x,y\n0.1,1,a\n0.2,2,b\n0.1,3,a\n' >tenths.csv
run linpred fit halfspace tenths.csv --weights w --method exact --max-seconds 0
# Where no tree of bounds is short enough, the checker goes through all hyperplanes in its own way: proved.
awk 'BEGIN { s = 7; print "a,b,y"; for (i = 0; i < 240; i++) { s = s * 16807 % 2147483647; printf "%s%s", i % 3 < 2 ? s % 1000 : s % 2 ? "yes" : "no", i % 3 < 2 ? "," : "\n" } }' >noise.csv
run_line 'linpred fit halfspace noise.csv --method exact -o noise.json | sed -n "/^outcome/p; /^errors/p; /^lower/p; /^verified/,\$p"'
run linpred verify noise.json noise.csv
json_of "verdict lower_bound lower_bound_proved" linpred fit halfspace noise.csv --method exact
