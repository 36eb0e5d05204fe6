# A pipe of 70 MB whose last row shows that a column is text: what was read is kept in a temporary file, and read again.
rows() { awk 'BEGIN { pad = "0123456789"; while (length(pad) < 1000) pad = pad pad; print "x,note,y"
  for (i = 1; i <= 55000; i++) print (i % 7) "," pad "," (i % 5); print "seven," pad ",3" }'; }
mkdir kept
run_line 'rows | TMPDIR=$PWD/kept linpred fit regression - --drop note | head -3'
rows >rows.csv
run_line 'linpred fit regression rows.csv --drop note | head -3'
run_line 'ls kept | wc -l'
# Where nothing can be kept, a sentence says so; if the pipe need not be read twice, it does not matter.
run_line 'rows | TMPDIR=$PWD/no_such_folder linpred fit regression - --drop note'
run_line 'rows | (ulimit -f 1000; linpred fit regression - --drop note)'
run_line 'rows | sed "\$d" | TMPDIR=$PWD/no_such_folder linpred fit regression - --drop note | head -1'
run_line 'rows | TMPDIR=$PWD/no_such_folder linpred fit regression - --drop note --text x | head -1'
