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
