# A hyperplane that separates, or a few rows that prove there is none; one label alone is a question too.
separable >d.csv
xor >xor.csv
cp "$SOURCE"/examples/data/iris.csv .
grep -v setosa iris.csv >two.csv
run linpred separable d.csv
run linpred separable xor.csv
run linpred separable two.csv
run linpred separable two.csv --json
printf '%s\n' x,y 1,-1 2,1 >offset.csv
run linpred separable offset.csv
run linpred separable offset.csv --no-intercept
printf '%s\n' x,y 1,a 2,a >one.csv
run linpred separable one.csv
run linpred separable one.csv --no-intercept
printf '%s\n' x,y 1,a -2,a >around.csv
run linpred separable around.csv --no-intercept
run linpred separable iris.csv
run linpred separable d.csv --method lp
json_of "outcome separation witness_rows witness_weights verdict error" linpred separable xor.csv
json_of "outcome separation coefficients verdict error" linpred separable d.csv
# Whole numbers separate these, but no doubles: p < q < 2p, and r - 0.1 q - 0.3 p must lie between 0 and 1e-40 t, t < p.
printf '%s\n' p,q,r,t,y -0.3,-0.1,1,0,1 -0.3,-0.1,1,-1e-40,0 1,0,0,-1,1 -1,1,0,0,1 2,-1,0,0,1 >thin.csv
run linpred separable thin.csv --no-intercept
json_of "outcome direction verdict coefficients errors errors_found" linpred separable thin.csv --no-intercept
run_line 'linpred fit halfspace thin.csv --no-intercept --method lp | grep -A9 integers'
