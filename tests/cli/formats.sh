# The same numbers in every format give the same coefficients to the bit.
cp "$SOURCE"/examples/data/iris.csv .
sed -E 's/setosa/1/; s/versicolor|virginica/-1/; s/Species/y/' iris.csv >d.csv
tr , '\t' <d.csv >d.tsv
tr , ';' <d.csv >d.semicolon
awk -F, 'NR > 1 {printf "%s 1:%s 2:%s 3:%s 4:%s\n", $5, $1, $2, $3, $4}' d.csv >one.svm
awk -F, 'NR > 1 {printf "%s 0:%s 1:%s 2:%s 3:%s # row %d\n", $5, $1, $2, $3, $4, NR}' d.csv >zero.svm
tail -n +2 d.csv >nameless.csv
sed 's/$/\r/' d.csv >crlf.csv
sed 's/[^,]*/"&"/g' d.csv >quoted.csv
gzip -c d.csv >d.csv.gz
gzip -c one.svm >packed # known by its content, not by its name
linpred fit halfspace d.csv -o csv.json >out.txt
weights_of csv.json | sed 's/^[^ ]* //' >expected
for file in d.tsv d.semicolon one.svm zero.svm nameless.csv crlf.csv quoted.csv d.csv.gz packed; do
  linpred fit halfspace $file -o model.json >out.txt || cat out.txt
  weights_of model.json | sed 's/^[^ ]* //' >found
  same expected found $file
  linpred verify model.json $file >out.txt || cat out.txt
done
if command -v zstd >/dev/null; then # ./run test sees to it
  zstd -q d.csv -o d.csv.zst
  linpred fit halfspace d.csv.zst -o zst.json >out.txt
  weights_of zst.json | sed 's/^[^ ]* //' >found
  cmp expected found
fi
for file in d.csv one.svm d.csv.gz; do
  linpred fit halfspace - -o model.json <$file >out.txt
  weights_of model.json | sed 's/^[^ ]* //' >found
  same expected found "$file from standard input"
done
run linpred inspect zero.svm
run linpred fit halfspace zero.svm
run linpred fit halfspace one.svm --index-base 0
run linpred fit halfspace zero.svm --index-base 1
run linpred inspect nameless.csv
run_line 'linpred inspect - <d.csv.gz'
run linpred fit halfspace d.csv --format libsvm
run linpred fit halfspace d.csv --format npy
run linpred fit halfspace one.svm --format csv
run linpred fit halfspace d.csv --separator semicolon
run_line 'linpred fit halfspace d.semicolon --separator ";" --json | json_check rows'
# Packings that are not read are recognised, whatever the file is called.
printf '\xFD7zXZ\0\0\4' >xz.csv
printf 'PK\3\4\24\0' >zip.csv
printf 'BZh61AY&SY' >bzip2.csv
printf 'PK\n1\n' >pk.csv
for file in xz zip bzip2 pk; do
  run linpred inspect $file.csv
done
