separable >d.csv
linpred fit halfspace d.csv --method perceptron -o model.json >out.txt
sed 's/^    2,/    -20,/' model.json >edited.json
run linpred verify edited.json d.csv
run linpred verify edited.json d.csv --accept-edited
run linpred predict edited.json d.csv
run linpred predict edited.json d.csv --accept-edited
run linpred evaluate edited.json d.csv
run linpred inspect edited.json
run linpred inspect edited.json --accept-edited
run linpred fit halfspace d.csv --start edited.json
head -n 25 model.json | head -c -3 >cut.json # before the seconds, which differ in length
run linpred verify cut.json d.csv
run linpred verify cut.json d.csv --accept-edited
: >empty.json
run linpred verify empty.json d.csv
sed 's/"version": 2/"version": 3/' model.json >newer.json
run linpred predict newer.json d.csv
run linpred predict newer.json d.csv --accept-edited
json_of "error.message error.file error.line" linpred predict cut.json d.csv
