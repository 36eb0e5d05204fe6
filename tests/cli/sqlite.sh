# An SQLite database: the same rows as CSV give the same model; every command that reads data takes it.
cp "$SOURCE"/examples/data/birthwt.csv .
sqlite3 b.db >import.txt <<'END'
.import --csv birthwt.csv raw
CREATE TABLE births AS SELECT low, CAST(age AS INTEGER) age, CAST(lwt AS REAL) lwt, race, CAST(ptl AS INTEGER) ptl,
  CAST(ftv AS INTEGER) ftv, CAST(bwt AS INTEGER) bwt FROM raw;
DROP TABLE raw;
END
cat import.txt
run linpred inspect b.db
echo low,age,lwt,race,ptl,ftv,bwt >b.csv
sqlite3 -csv b.db 'SELECT * FROM births' >>b.csv
linpred fit regression b.csv -t bwt --drop low -o csv.json >out.txt
linpred fit regression b.db -t bwt --drop low -o db.json >out.txt
same <(timeless csv.json) <(timeless db.json) "regression from CSV and SQLite"
linpred fit logistic b.csv -t low --drop bwt -o csv_logistic.json >out.txt
linpred fit logistic b.db -t low --drop bwt -o db_logistic.json >out.txt
same <(timeless csv_logistic.json) <(timeless db_logistic.json) "logistic from CSV and SQLite"
for model in csv db; do # each model with the other's file
  linpred verify $model.json b.csv >verify.csv.txt
  linpred verify $model.json b.db >verify.db.txt
  same verify.csv.txt verify.db.txt "verify $model.json"
done
same <(linpred predict db.json b.csv) <(linpred predict db.json b.db) predict
same <(linpred evaluate db.json b.csv | grep -v b.csv) <(linpred evaluate db.json b.db | grep -v b.db) evaluate
same <(linpred predict db.json b.csv) <(linpred predict db.json - <b.db) "predict, from standard input"
run_line 'linpred separable b.db -t low --features age,lwt | head -2'
run_line 'linpred fit regression b.db --query "SELECT age, bwt FROM births WHERE race = '"'white'"' ORDER BY rowid" | head -1'
run_line 'linpred shatter b.db --query "SELECT age, lwt FROM births LIMIT 3" | head -1'

# What cannot be read is said with its row, and only where it is used.
sqlite3 odd.db "CREATE TABLE t(photo BLOB, dose, code TEXT, y); INSERT INTO t VALUES (x'00', 1, '1', 2),
  (x'01', 'high', '2', 3), (NULL, 3, '3', 5), (NULL, NULL, '4', 5)"
run linpred inspect odd.db
run_line 'linpred inspect odd.db --json | grep -B 1 refusal'
run linpred fit regression odd.db
run linpred fit regression odd.db -t photo
run linpred fit regression odd.db --drop photo
run_line 'linpred fit regression odd.db --features code --no-verify | head -1'
run linpred fit regression odd.db --query 'SELECT CAST(code AS REAL) AS code, dose, y FROM t WHERE y <> 3'
run_line 'linpred fit regression odd.db --query "SELECT CAST(code AS REAL) AS code, y FROM t" -o odd.json >out.txt'
run linpred predict odd.json odd.db
run linpred predict odd.json odd.db --query 'SELECT photo AS code FROM t'
run linpred fit regression odd.db --table s
run linpred fit regression odd.db --query 'DROP TABLE t'
run linpred fit regression odd.db --table t --query 'SELECT 1'
run linpred fit regression odd.db --separator comma
run linpred fit regression b.csv --table births
run linpred inspect b.csv --format sqlite

# Columns that are not used are not judged, and names that occur twice are told apart by numbers.
run linpred fit regression odd.db --query 'SELECT y, dose AS y, code, y AS z FROM t' --features 1,2
json_of "coefficients" linpred fit regression odd.db --query 'SELECT y, photo AS y, dose, y * y AS z FROM t' --features 1
run linpred fit regression odd.db --query 'SELECT y, photo AS y, dose, y * y AS z FROM t' --features y
