# Ctrl-C ends a long run with the best so far: the model is written, and says that it was stopped.
awk 'BEGIN {
  OFS = ","
  print "x1,x2,y"
  for (i = 0; i < 400; i++) print (i * 7919) % 101, (i * 104729) % 97, ((i * i) % 7 < 3)
}' >noise.csv
linpred fit halfspace noise.csv --method pocket --max-passes 1000000000 -o model.json --json >out.json 2>err.txt &
program=$!
# Whether the program listens to the signal.
listens() {
  caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$program/status 2>/dev/null)
  ((0x${caught:-2} & 2))
}
wait_until_it_listens() {
  for _ in $(seq 200); do
    if listens; then break; fi
    sleep 0.05
  done
  sleep 0.2
}
wait_until_it_listens
kill -INT $program
wait $program
echo "[exit code $?]"
cat err.txt >&2
json_check outcome reason method verdict rows <out.json
run ls
run_line 'linpred verify model.json noise.csv >verified.txt; echo $?; cut -c1-20 verified.txt'
run_line 'linpred inspect model.json --json | json_check outcome'

# Least absolute loss of wide data, stopped before it has a good vertex: it keeps the median, and claims no more.
awk 'BEGIN {
  for (j = 1; j <= 900; j++) printf "x%d,", j
  print "y"
  for (i = 0; i < 1701; i++) {
    for (j = 1; j <= 900; j++) printf "%d,", (i * 7919 + j * j * 104729 + i * i * j) % 10007
    print i * 7 % 1701
  }
}' >wide.csv
linpred fit regression wide.csv --loss absolute -o wide.json --json >out.json 2>err.txt &
program=$!
wait_until_it_listens
kill -INT $program
wait $program
echo "[exit code $?]"
cat err.txt >&2
json_check outcome reason verdict rank unique objective <out.json
run_line 'linpred predict wide.json wide.csv | sort | uniq -c'
run_line 'linpred verify wide.json wide.csv >verified.txt; echo $?; cut -c1-23 verified.txt'
run_line 'linpred fit regression wide.csv --loss absolute --max-seconds 0.1 --json | json_check outcome verdict rank objective'

# A second Ctrl-C leaves at once. The program is held between the two, so that it cannot end by itself; where it was
# faster than that, this is tried again.
for _ in $(seq 20); do
  linpred fit regression wide.csv --loss absolute -o twice.json >/dev/null 2>&1 &
  program=$!
  wait_until_it_listens
  kill -INT $program
  while listens; do :; done
  kill -STOP $program 2>/dev/null
  kill -INT $program 2>/dev/null
  kill -CONT $program 2>/dev/null
  wait $program 2>/dev/null
  code=$?
  if ((code != 1)); then break; fi
done
echo "[exit code $code]"
rm -f twice.json
