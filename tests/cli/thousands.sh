# Thousands that are separated by blanks or apostrophes, as Excel writes them in France, Sweden and Switzerland. A notice
# says so; a column whose digits are grouped otherwise is text, or an error under a model.
printf '%s\n' 'pay;age' '1 234,5;20' '12 345,75;30' '999,5;40' >french.csv
run linpred inspect french.csv
printf 'pay;age\n1\u00a0234,5;20\n-1\u202f234\u2009567,75;30\n\u00a0999,5 ;40\n' >no_break.csv
run linpred inspect no_break.csv
printf '%s\n' pay,age "1'234.50,20" '2’000’000,30' 12,40 >swiss.csv
run linpred inspect swiss.csv
# Where thousands have a mark of their own, a comma is a decimal mark.
printf '%s\n' pay,age '"1 234",20' '"1,234",30' 12,40 >mark.csv
run linpred inspect mark.csv
# Two marks in one column are told.
printf '%s\n' 'pay;age' "1'234,5;1" '2.345,5;2' '1 000;3' >marks.csv
run linpred inspect marks.csv
# Not grouped by threes, a first group that begins with 0, two marks in one number, a unit: no numbers.
for value in '1 23' '1 2345' '1234 567' '030 123 456' "1 234'567" '1 234 ' "1'23" '2 000 €' '€ 2 000'; do
    printf '%s\n' 'x;y' "$value;1" '2;2' '10 000;4' >cell.csv
    run_line 'linpred inspect cell.csv | grep " x "'
done
# 0,123 is no way to write 123.
printf '%s\n' x,y '"0,123",1' 1.5,2 >zero.csv
run_line 'linpred inspect zero.csv | grep " x "'
# The value is that of the digits; a number that no double holds is told as always.
printf 'x\ty\n1 234\t1\n2\t2\n10 000\t4\n' >plain.tsv
run_line 'linpred fit regression plain.tsv -o grouped.json | grep " x "'
printf 'x\ty\n1234\t1\n2\t2\n10000\t4\n' | linpred fit regression - --quiet | grep ' x '
run_line 'linpred verify grouped.json plain.tsv | head -1'
printf 'x\n5 000\n' >new.tsv
run linpred predict grouped.json new.tsv
printf 'x\n5 00\n' >wrong.tsv
run linpred predict grouped.json wrong.tsv
printf '%s\n' 'x;y' '9 007 199 254 740 993;1' '2;2' '9.007.199.254.740.993,0;4' >large.csv
run_line 'linpred fit regression large.csv | head -1'
# Blanks that separate fields are separators.
printf '%s\n' 'x y' '1 234' '2 567' >blanks.txt
run_line 'linpred inspect blanks.txt | head -2'
