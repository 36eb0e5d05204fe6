# A weight of three is three copies of the row, a weight of zero is no row.
cp "$SOURCE"/examples/data/iris.csv .
grep -v setosa iris.csv | awk -F, 'NR == 1 {print $0 ",n"; next} {print $0 "," (NR * 7) % 4}' >weighted.csv
awk -F, 'NR == 1 {print; next} {for (k = 0; k < $6; k++) print}' weighted.csv | cut -d, -f1-5 >copies.csv
for order in cyclic worst; do
  for passes in 1 7 60; do
    linpred fit halfspace weighted.csv -t Species --weights n --method pocket --max-passes $passes --order $order -o w.json >out.txt
    linpred fit halfspace copies.csv --method pocket --max-passes $passes --order $order -o c.json >out.txt
    echo "$order, $passes passes:"
    for model in w c; do
      linpred evaluate $model.json copies.csv --json | json_check error confusion auc >$model.txt
      linpred inspect $model.json --json | json_check errors >>$model.txt
    done
    linpred evaluate w.json weighted.csv --json | json_check error confusion auc >weighted.txt
    linpred inspect w.json --json | json_check errors >>weighted.txt
    same w.txt weighted.txt "evaluation of one model by weights and by copies"
    cat w.txt c.txt
  done
done
