# Beginning at the weights of a model: of a finished one there is nothing left to do.
separable >d.csv
xor >xor.csv
printf 'a,b,y\n1,0,yes\n0,1,no\n' >other.csv
run linpred fit halfspace d.csv --method perceptron -o first.json
run linpred fit halfspace d.csv --method perceptron --start first.json -o second.json
same <(weights_of first.json) <(weights_of second.json) "weights"
run linpred fit halfspace xor.csv --method perceptron --max-passes 2 -o stopped.json
run linpred fit halfspace other.csv --method perceptron --start stopped.json
run linpred fit halfspace other.csv --start stopped.json --method pocket
run linpred fit halfspace other.csv --method perceptron --start first.json
run linpred fit halfspace d.csv --method perceptron --start d.csv
run linpred fit halfspace d.csv --method perceptron --start nowhere.json
printf '%s\n' x1,x2,y 2,1,1 1,3,2 -1,-2,-1 -3,0.5,-1 >real.csv
linpred fit regression real.csv -o regression.json >/dev/null
linpred fit ball d.csv -o ball.json >/dev/null
run linpred fit logistic d.csv --start regression.json
run linpred fit halfspace d.csv --method perceptron --start ball.json
