separable >d.csv
run linpred fit halfspace d.csv --method perceptron --quiet -o model.json
run linpred predict model.json d.csv
run linpred predict model.json d.csv --what score
run linpred predict model.json d.csv --what=label -o labels.csv
run cat labels.csv
run linpred predict model.json d.csv --json
run linpred predict model.json d.csv --json --what score -o scores.csv
run cat scores.csv
printf 'x2,extra,x1\n1,word,2\n-5,word,1\n' >shuffled.csv
run linpred predict model.json shuffled.csv --what score
printf 'x1,x2\n0,0\n' >zero.csv
run linpred predict model.json zero.csv --what score
printf 'x1\n0\n' >less.csv
run linpred predict model.json less.csv
printf '"a ""b"", c",y\n1,"no, never"\n2,"say ""yes"""\n' >quotes.csv
run linpred fit halfspace quotes.csv -o quotes.json
run linpred predict quotes.json quotes.csv
run linpred predict quotes.json quotes.csv --json
run linpred predict model.json d.csv -o missing/labels.csv
run linpred predict model.json d.csv -o .
run ls
# Columns that are nearly there.
cp "$SOURCE"/examples/data/iris.csv .
run_line 'grep -v setosa iris.csv | linpred fit halfspace - -o iris.json >/dev/null'
run_line 'sed s/Petal.Width/petal_width/ iris.csv | linpred predict iris.json -'
run_line 'sed s/Species/Spezies/ iris.csv | linpred evaluate iris.json -'
run_line 'sed s/Petal.Width/thickness/ iris.csv | linpred predict iris.json -'
run linpred fit halfspace iris.csv -t Specis
