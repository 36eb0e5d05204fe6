cp "$SOURCE"/examples/data/birthwt.csv .
linpred fit halfspace birthwt.csv -t low --drop bwt --method pocket --max-passes 5 -o model.json >out.txt
run linpred inspect model.json
run linpred inspect model.json --json
