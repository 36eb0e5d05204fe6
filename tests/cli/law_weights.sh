# A weight of three is three copies of the row, a weight of zero is no row: one model makes the same errors on both.
cp "$SOURCE"/examples/data/iris.csv .
grep -v setosa iris.csv | awk -F, 'NR == 1 {print $0 ",n"; next} {print $0 "," (NR * 7) % 4}' >weighted.csv
awk -F, 'NR == 1 {print; next} {for (k = 0; k < $6; k++) print}' weighted.csv | cut -d, -f1-5 >copies.csv
for passes in 1 7 60; do
  linpred fit halfspace weighted.csv -t Species --weights n --method pocket --max-passes $passes -o model.json >out.txt
  for data in weighted copies; do
    linpred evaluate model.json $data.csv --json | json_check weight error_rate confusion auc >$data.txt
    linpred verify model.json $data.csv --json | json_check errors_found >>$data.txt
  done
  same weighted.txt copies.txt "$passes passes"
  cat weighted.txt
  linpred inspect model.json --json | json_check errors
done
# The mean that stands for a missing value is that of the copies.
printf '%s\n' x,n,y 1,3,a 2,1,a ,2,b 7,1,b 5,0,b >weighted.csv
printf '%s\n' x,y 1,a 1,a 1,a 2,a ,b ,b 7,b >copies.csv
linpred fit halfspace weighted.csv --weights n --method pocket --missing mean -o weighted.json >out.txt
linpred fit halfspace copies.csv --method pocket --missing mean -o copies.json >out.txt
same <(grep mean weighted.json) <(grep mean copies.json) "means"
grep '"mean":' weighted.json
