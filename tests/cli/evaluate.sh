cp "$SOURCE"/examples/data/iris.csv .
grep -v setosa iris.csv >two.csv
run linpred fit halfspace two.csv --method pocket --max-passes 20 -o model.json
run linpred evaluate model.json two.csv
run linpred evaluate model.json two.csv --json
grep -v versicolor two.csv >virginica.csv
run linpred evaluate model.json virginica.csv
json_of "rows auc error_rate confusion" linpred evaluate model.json virginica.csv
run linpred evaluate model.json iris.csv
cut -d, -f1-4 two.csv >unlabelled.csv
run linpred evaluate model.json unlabelled.csv
printf 'x,y\n0,1\n1,1\n-1,0\n0,0\n' >edge.csv
run linpred fit halfspace edge.csv --no-intercept --method perceptron --max-passes 2 -o edge.json
run linpred evaluate edge.json edge.csv
