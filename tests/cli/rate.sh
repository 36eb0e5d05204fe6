# From zero the size of an update scales the answer and changes nothing else.
cp "$SOURCE"/examples/data/iris.csv .
sed -E 's/versicolor|virginica/other/' iris.csv >setosa.csv
for rate in 1 0.1 3 1e-300 1e300; do
  json_of "outcome updates passes margin errors coefficients" linpred fit halfspace setosa.csv --method perceptron --rate $rate -o "$rate.json"
  run linpred verify "$rate.json" setosa.csv
done
