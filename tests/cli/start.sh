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
