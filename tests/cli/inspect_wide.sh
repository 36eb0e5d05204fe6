# A wide file is described shortly; --all and --json show every column.
for i in $(seq 60); do printf 'c%d,' "$i"; done >wide.csv
echo y >>wide.csv
for r in 1 2 3; do
  for i in $(seq 60); do printf '%d,' $((i * r)); done
  echo "$r"
done >>wide.csv
run linpred inspect wide.csv
run_line 'linpred inspect wide.csv --all | wc -l'
run_line "linpred inspect wide.csv --json | grep -c '\"name\"'"
# Text that differs in every row looks like an identifier.
(echo id,kind,y; for i in $(seq 12); do echo "a$i,$((i % 2 ? 1 : 2))k,$((i % 3 == 0))"; done) >id.csv
run linpred inspect id.csv
run_line 'linpred fit logistic id.csv --drop id -o m.json --l2 1 | head -1'
run linpred inspect m.json --all
# A target of 0 and 1 may be labels.
run_line 'linpred fit regression id.csv --drop id | head -1'
run_line 'head -9 id.csv | linpred fit regression - --drop id | head -1'
