# One row for each update, with the weights after it.
separable >d.csv
run linpred fit halfspace d.csv --method perceptron --trace trace.csv --quiet
run cat trace.csv
xor >xor.csv
run linpred fit halfspace xor.csv --method perceptron --max-passes 2 --order worst --rate 0.5 --trace trace.csv
run cat trace.csv
run linpred fit halfspace xor.csv --max-passes 2 --method pocket --trace trace.csv
run cat trace.csv
printf '"say ""hi"", you",text,y\n1,a,-1\n2,b,1\n' >names.csv
run linpred fit halfspace names.csv --method perceptron --trace trace.csv --no-verify
run cat trace.csv
# Devices are written to as they are, links stay links.
run linpred fit halfspace d.csv --method perceptron --trace /dev/stdout --no-verify
echo before >target.csv
ln -s target.csv link.csv
linpred fit halfspace d.csv --method perceptron --trace link.csv >out.txt
run head -1 target.csv
run readlink link.csv
run linpred fit halfspace d.csv --method perceptron --trace missing/trace.csv
run linpred fit halfspace d.csv --method perceptron --trace /dev/full
# A trace is a CSV file like any other.
run linpred inspect trace.csv
