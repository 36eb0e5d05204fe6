cp "$SOURCE"/examples/data/birthwt.csv .
linpred fit halfspace birthwt.csv -t low --drop bwt --method pocket --max-passes 5 -o model.json >out.txt
run linpred inspect model.json
run linpred inspect model.json --json
# Options that would be ignored.
for option in '--separator ;' '--text age' '--header no' '--index-base 0' '--format csv' '--threads 2'; do run linpred inspect model.json $option; done
run linpred inspect birthwt.csv --accept-edited
cp "$SOURCE"/examples/data/{cars,stackloss,iris}.csv .
linpred fit regression cars.csv --degree 2 -o cars.json >out.txt
run linpred inspect cars.json
run linpred inspect cars.json --json
linpred fit regression stackloss.csv -t stack.loss --loss absolute -o absolute.json >out.txt
run linpred inspect absolute.json
linpred fit regression stackloss.csv -t stack.loss --loss absolute --quantile 0.25 -o quarter.json >out.txt
run linpred inspect quarter.json
run linpred evaluate quarter.json stackloss.csv
run linpred evaluate quarter.json stackloss.csv --json
linpred fit regression stackloss.csv -t stack.loss --l2 0.5 -o ridge.json >out.txt
run linpred inspect ridge.json
sed -E 's/versicolor|virginica/other/' iris.csv >setosa.csv
linpred fit halfspace setosa.csv --positive setosa -o margin.json >out.txt
run linpred inspect margin.json
grep -v setosa iris.csv >two.csv
linpred fit halfspace two.csv --method lp -o proof.json >out.txt
run linpred inspect proof.json
linpred fit halfspace two.csv --method exact -o exact.json >out.txt
run linpred inspect exact.json
linpred fit logistic two.csv --l2 0.1 -o logistic.json >out.txt
run linpred inspect logistic.json
