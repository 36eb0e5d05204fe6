# Parquet files of three writers: the same rows as CSV give the same model; every command that reads data takes them.
files=$SOURCE/tests/data/parquet
cp "$files"/*.parquet "$files"/*.csv "$files"/many.csv.gz .
run linpred inspect duck_v2.parquet
run linpred inspect duck_many.parquet
fits() { # FILE MODEL: two fits of the same rows, each with text and with missing values
  linpred fit regression "$1" --missing drop --quiet -o "$2.json" >out.txt || cat out.txt
  linpred fit logistic "$1" -t b --features n,x,w,y --l2 0.01 --quiet -o "$2.logistic.json" >out.txt || cat out.txt
}
for file in t small; do # decimals are not doubles, which Parquet holds
  doubles <$file.csv >doubles.$file.csv
done
fits doubles.t.csv csv
for file in duck_uncompressed duck_snappy duck_gzip duck_zstd duck_lz4_raw duck_v2 duck_plain; do
  fits $file.parquet model
  same <(meaningless csv.json) <(meaningless model.json) "$file, regression"
  same <(meaningless csv.logistic.json) <(meaningless model.logistic.json) "$file, logistic"
done
fits doubles.small.csv csv
for file in rust_v1_snappy rust_v2_zstd rust_pages rust_delta rust_lz4_hadoop script_plain script_gzip script_split; do
  fits $file.parquet model
  same <(meaningless csv.json) <(meaningless model.json) "$file, regression"
done
for threads in 1 3; do
  linpred fit regression duck_many.parquet --missing mean --threads $threads --quiet -o many$threads.json >out.txt
done
gzip -dc many.csv.gz | doubles >doubles.many.csv
linpred fit regression doubles.many.csv --missing mean --quiet -o many.json >out.txt
same <(meaningless many.json) <(meaningless many1.json) "four row groups"
same <(meaningless many.json) <(meaningless many3.json) "four row groups, three threads"
same <(linpred verify csv.json doubles.small.csv) <(linpred verify csv.json rust_pages.parquet) verify
# A model of decimals says what the doubles of another file mean.
linpred fit regression small.csv --missing drop --quiet -o decimals.json >out.txt
same <(linpred verify decimals.json small.csv) <(linpred verify decimals.json rust_pages.parquet) "verify, decimals"
run_line 'linpred verify decimals.json rust_pages.parquet | head -1'
same <(linpred predict --quiet csv.json small.csv) <(linpred predict --quiet csv.json script_split.parquet) predict
same <(linpred predict --quiet csv.json small.csv) <(linpred predict --quiet csv.json - <rust_delta.parquet) "predict, from standard input"
gzip -c rust_delta.parquet >packed
same <(linpred predict --quiet csv.json small.csv) <(linpred predict --quiet csv.json packed) "predict, packed"
same <(linpred evaluate --quiet csv.json small.csv | grep -v csv) <(linpred evaluate --quiet csv.json rust_v2_plain.parquet | grep -v parquet) evaluate
run_line 'linpred separable rust_v1_plain.parquet -t b --features n,x,y | head -1'

# What cannot be read is refused where it is used.
run linpred inspect duck_kinds.parquet
run linpred fit regression duck_kinds.parquet --features list
run linpred fit regression duck_kinds.parquet --features inf
run linpred fit regression duck_kinds.parquet --features big,unsigned
run_line 'linpred fit regression duck_kinds.parquet --features unsigned --missing drop | head -2'
run linpred fit regression duck_brotli.parquet --features n
run linpred fit regression duck_v2.parquet --table t
run linpred fit regression duck_v2.parquet --header no
run linpred inspect t.csv --format parquet
head -c 3000 duck_v2.parquet >cut.parquet
run linpred inspect cut.parquet
{ head -c 8 duck_zstd.parquet; printf "\377\377\377\377"; tail -c +13 duck_zstd.parquet; } >damaged.parquet
run linpred inspect damaged.parquet

# Columns that are not used are not read: a damaged one, and one of two with the same name, which a number tells apart.
run linpred fit regression hand_twice.parquet --drop broken
run linpred fit regression hand_twice.parquet --drop 2
json_of "coefficients" linpred fit regression hand_twice.parquet --drop broken,2 -o twice.json
json_of "coefficients" linpred fit regression hand_twice.parquet --features 2
run linpred predict twice.json hand_twice.parquet
run_line 'linpred verify twice.json hand_twice.parquet | head -1'
# A file with columns and no rows.
run linpred predict twice.json hand_empty.parquet
run linpred fit regression hand_empty.parquet
