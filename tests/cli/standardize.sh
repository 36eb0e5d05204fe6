cp "$SOURCE"/examples/data/birthwt.csv .
run linpred fit halfspace birthwt.csv -t low --drop race --method perceptron --standardize -o model.json
run linpred verify model.json birthwt.csv
printf '%s\n' x,c,y 1000000,7,0 1000001,7,1 >offset.csv
run linpred fit halfspace offset.csv --method perceptron --standardize
run linpred fit halfspace offset.csv --method perceptron --standardize --no-intercept
