# Tables fold to the width of the screen: COLUMNS stands for a terminal here. Without one they do not.
cp "$SOURCE"/examples/data/birthwt.csv .
run_line 'COLUMNS=60 linpred inspect birthwt.csv'
run_line 'COLUMNS=80 linpred inspect birthwt.csv | head -8'
linpred fit logistic birthwt.csv -t low --drop bwt --quiet -o low.json >out.txt
run_line 'COLUMNS=60 linpred evaluate low.json birthwt.csv'
linpred fit regression birthwt.csv -t bwt --features age,lwt --loss absolute --quantile 0.25 --quiet -o bwt.json >out.txt
run_line 'COLUMNS=60 linpred evaluate bwt.json birthwt.csv'
run_line 'COLUMNS=60 linpred separable birthwt.csv -t low --drop bwt | sed "/^Weighted/,\$d"'
run_line 'COLUMNS=80 linpred separable birthwt.csv -t low --drop bwt | sed "/^Weighted/,\$d"'
run_line 'linpred separable birthwt.csv -t low --drop bwt | sed "/^Weighted/,\$d"'
# No line of these is longer than the screen.
for width in 60 72 80 100; do
    for command in 'inspect birthwt.csv' 'evaluate low.json birthwt.csv' 'evaluate bwt.json birthwt.csv'; do
        # shellcheck disable=SC2086
        COLUMNS=$width linpred $command | LC_ALL=C.UTF-8 grep -E "^.{$((width + 1))}"
    done
done
true
