# Instances by name, their truth, what they promise, and what is refused.
run linpred generate
run linpred generate xor
run linpred generate tight --rows 4
run linpred generate noisy --rows 6 --columns 3 --flip 1 --seed 7 --truth truth.json
run cat truth.json
run linpred generate rank-deficient --rows 6 --columns 4 --rank 2 -o deficient.csv --json
run cat deficient.csv
# The numbers read back to the same doubles: a margin of 1e-9 is still there, and m updates are m.
linpred generate separable --rows 200 --margin 1e-9 -o separable.csv
json_of "outcome" linpred separable separable.csv
linpred generate tight --rows 3000 -o tight.csv
json_of "outcome updates" linpred fit halfspace tight.csv --method perceptron --no-intercept
for columns in 2 3 4 5; do
  linpred generate shrinking --columns $columns -o shrinking.csv
  json_of "updates" linpred fit halfspace shrinking.csv --method perceptron --no-intercept --max-passes 10000
done
linpred generate separable --seed 5 >first.csv
LC_ALL=C linpred generate separable --seed 5 >second.csv
same first.csv second.csv "twice the same seed"
run linpred generate shrinkin
run linpred generate xor --rows 3
run linpred generate tight --rows 4001
run linpred generate noisy --flip 50
run linpred generate logistic --columns 60
run linpred generate separable --json
run linpred generate --rows 4
run linpred generate xor -o missing/xor.csv
json_of "error.message" linpred generate xor --seed 1 -o xor.csv
