# Any two values will do; the mapping is shown and never comes from the order of rows.
two() {
  printf 'x,y\n1,%s\n2,%s\n' "$1" "$2" >labels.csv
  echo "labels $1 and $2"
  json_of "labels notes error.message" linpred fit halfspace labels.csv
}
two -1 1
two 1 -1
two 0 1
two 1 2
two 2 10
two a b
two yes no
two True False
two 1.0 -1
two +1 01
two 0.1 0.10000000000000001
two 9007199254740993 5
two 1e3 1000
two Ja ja
two ä ö
two '"a, b"' '"c ""d"""'
two 1 1
two NA 1
two 1 x
two a a
# However long they are.
long=$(printf 'a%.0s' {1..300})
printf 'x,y\n1,%s\n2,%s\n' "${long}b" "${long}c" >long.csv
linpred fit halfspace long.csv -o long.json >out.txt || cat out.txt
run_line 'linpred predict long.json long.csv | wc -c'
run_line 'linpred evaluate long.json long.csv --json | json_check error_rate'
# More than two labels of which two are the same word.
printf '%s\n' x,y 1,yes 2,no 3,Yes >capitals.csv
run linpred fit halfspace capitals.csv
printf '%s\n' x,y 1,good "2,not good" 3,notgood >blanks.csv
run linpred fit halfspace blanks.csv
