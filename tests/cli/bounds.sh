# Theorems with their numbers, and where they come from.
run linpred bounds vc --dimension 3
run linpred bounds vc --dimension 3 --no-intercept
run linpred bounds vc --dimension 3 --class ball
run linpred bounds sample-size --dimension 10 --epsilon 0.05 --delta 0.01
run linpred bounds sample-size --vc 1
run linpred bounds sample-size --dimension 10 --bits 64 --range 4
run linpred bounds sample-size --hypotheses 1e6
run linpred bounds sample-size --vc 5 --epsilon 1e-30 --delta 1e-300
json_of "class dimension vc_dimension bounds" linpred bounds vc --dimension 1000000000000
json_of "epsilon delta bounds" linpred bounds sample-size --dimension 2 --class ball
# Data: the perceptron's bound, and from the error on the rows to the true error.
separable >separable.csv
run linpred bounds updates separable.csv
linpred generate shrinking --columns 5 -o shrinking.csv
run linpred bounds updates shrinking.csv --no-intercept
json_of "outcome update_bound radius norm formula source verdict" linpred bounds updates shrinking.csv --no-intercept
xor >xor.csv
run linpred bounds updates xor.csv
linpred generate noisy --rows 25000 --flip 0.1 -o all.csv
head -20001 all.csv >noisy.csv
(head -1 all.csv && tail -5000 all.csv) >fresh.csv
linpred fit logistic noisy.csv -o noisy.json >out.txt
run linpred bounds generalization noisy.json noisy.csv
run linpred bounds generalization noisy.json fresh.csv
linpred fit halfspace separable.csv -o separable.json >out.txt
run linpred bounds generalization separable.json separable.csv --delta 0.5
json_of "rows error_rate vc_dimension delta bounds" linpred bounds generalization separable.json separable.csv
linpred generate offset -o offset.csv
linpred fit ball offset.csv -o ball.json >out.txt
json_of "error_rate vc_dimension" linpred bounds generalization ball.json offset.csv
# What makes no sense.
run linpred bounds
run linpred bounds vx
run linpred bounds sample-siz
run linpred bounds vc
run linpred bounds vc --dimension 0
run linpred bounds vc --dimension 3 --class ball --no-intercept
run linpred bounds vc --dimension 3 --epsilon 0.1
run linpred bounds sample-size
run linpred bounds sample-size --dimension 3 --vc 4
run linpred bounds sample-size --vc 4 --no-intercept
run linpred bounds sample-size --vc 4 --class ball
run linpred bounds sample-size --vc 4 --range 2
run linpred bounds sample-size --bits 8
run linpred bounds sample-size --vc 4 --epsilon 0
run linpred bounds sample-size --vc 4 --epsilon 1
run linpred bounds sample-size --vc 4 --delta 1.5
run linpred bounds sample-size --vc -1
run linpred bounds sample-size --vc 4 --epsilon 1e-200
run linpred bounds sample-size extra --vc 4
run linpred bounds updates separable.csv --norm with-intercept
cp "$SOURCE/examples/data/cars.csv" .
linpred fit regression cars.csv -o cars.json >out.txt
run linpred bounds generalization cars.json cars.csv
