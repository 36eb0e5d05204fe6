# Weights are counts of rows. The perceptron refuses them, the pocket counts them in its errors.
printf '%s\n' x,n,y 1,5,a 2,1,b 3,1,a 4,5,b 9,0,c >w.csv
run linpred fit halfspace w.csv --weights n --method perceptron
run linpred fit halfspace w.csv --weights n --method pocket --max-passes 50 -o model.json
run linpred verify model.json w.csv
run linpred evaluate model.json w.csv
json_of "errors objective rows rows_dropped_weightless verdict" linpred fit halfspace w.csv --weights n --method pocket --max-passes 50
printf '%s\n' x,n,y 1,5,a 2,-1,b 3,1,a >negative.csv
run linpred fit halfspace negative.csv --weights n --method pocket
printf '%s\n' x,n,y 1,5,a 2,,b 3,1,a >missing.csv
run linpred fit halfspace missing.csv --weights n --method pocket
printf '%s\n' x,n,y 1,many,a 2,few,b >text.csv
run linpred fit halfspace text.csv --weights n --method pocket
printf '%s\n' x,n,y 1,0,a 2,0,b >none.csv
run linpred fit halfspace none.csv --weights n --method pocket
# The loss has its digits also where the hyperplane lies against a row.
printf '%s\n' x,y -0.1,1 0,0 -0.1,0 >against.csv
run_line 'linpred fit halfspace against.csv | grep ^verified'
