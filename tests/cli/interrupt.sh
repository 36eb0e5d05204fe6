# Ctrl-C ends a long run with the best so far: the model is written, and says that it was stopped.
awk 'BEGIN {
  OFS = ","
  print "x1,x2,y"
  for (i = 0; i < 400; i++) print (i * 7919) % 101, (i * 104729) % 97, ((i * i) % 7 < 3)
}' >noise.csv
linpred fit halfspace noise.csv --method pocket --max-passes 1000000000 -o model.json --json >out.json 2>err.txt &
program=$!
# The signal is sent once the program listens to it.
for _ in $(seq 200); do
  caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$program/status 2>/dev/null)
  if ((0x${caught:-2} & 2)); then break; fi
  sleep 0.05
done
sleep 0.2
kill -INT $program
wait $program
echo "[exit code $?]"
cat err.txt >&2
json_check outcome reason method verdict rows <out.json
run ls
run_line 'linpred verify model.json noise.csv >verified.txt; echo $?; cut -c1-20 verified.txt'
run_line 'linpred inspect model.json --json | json_check outcome'
