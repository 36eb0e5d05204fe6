# Names in any script, long names, and names with quotes and newlines keep the tables in shape and come back whole.
{
  printf '"größe, ""netto""\nin cm",Δημοτικότητα,%s,y\n' "$(printf 'ü%.0s' {1..50})"
  printf '1,2,3,schön\n2,1,0,hässlich\n3,5,2,schön\n'
} >names.csv
run linpred inspect names.csv
run linpred fit halfspace names.csv -o model.json
run linpred evaluate model.json names.csv
run linpred predict model.json names.csv
json_of "coefficients labels" linpred fit halfspace names.csv
printf '"a\nb",y\n1,"no\nway"\n2,yes\n' >lines.csv
run linpred fit halfspace lines.csv -o lines.json
run linpred predict lines.json lines.csv
run linpred inspect lines.csv

# A name of any length may take part in a dependency.
long=$(printf 'z%.0s' $(seq 600))
printf '%s\n' "a,$long,y" 1,2,1 2,4,0 3,6,1 4,8,0 5,10,1 >long_name.csv
run_line 'linpred fit regression long_name.csv -o long_name.json >printed.txt; linpred verify long_name.json long_name.csv | head -1'
# A file without names, read by a model that knows its columns by name.
printf '%s\n' x,kind,y 1,a,no 2,b,no 5,a,yes 6,b,yes >named.csv
linpred fit halfspace named.csv -o named.json >out.txt
printf '%s\n' 1,a 2,b >bare.csv
run linpred predict named.json bare.csv
printf '%s\n' a,b b,a >words.csv
run linpred predict named.json words.csv
printf '%s\n' z,y 1,no >other.csv
run linpred evaluate named.json other.csv
# A label that is text because of one cell of one of several files.
printf '%s\n' x,y 1,0 2,1 >part-1.csv
printf '%s\n' x,y 3,1 4,2x >part-2.csv
run linpred fit halfspace part-1.csv part-2.csv
