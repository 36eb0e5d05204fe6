cp "$SOURCE"/examples/data/iris.csv .
cat >odd.csv <<'CSV'
id;"unit price";colour;nothing;always;price again
1;2.5;red;;7;2.5
2;;green;;7;
3;1e3;red;NA;7;1000
4;-0.125;"a ""b""; c";;7;-0.125
CSV
printf '1 1:0.5 3:2\n-1 2:1\n1\n' >rows.svm
run linpred inspect iris.csv
run linpred inspect odd.csv
run linpred inspect odd.csv --json
run linpred inspect rows.svm
json_of "format rows columns" linpred inspect rows.svm
run linpred inspect rows.svm --index-base 0
run linpred inspect odd.csv --text id
run linpred inspect iris.csv --header no

# Names of columns and no rows.
printf 'x,y\n' >names.csv
run linpred inspect names.csv
cp "$SOURCE"/tests/data/parquet/hand_empty.parquet .
run linpred inspect hand_empty.parquet
sqlite3 none.db 'CREATE TABLE t(a, b)'
run linpred inspect none.db
