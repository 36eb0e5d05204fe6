# With little address space the program may lack memory for its work, but it says so and ends.
separable >d.csv
for command in "linpred --version" "linpred fit halfspace d.csv" "linpred fit halfspace d.csv --threads 1" "linpred fit logistic d.csv --l2 0.1 --threads 2"; do
  if ldd "$(command -v linpred)" | grep -qE 'lib[at]san'; then
    echo "$command: ends" # sanitizers need terabytes of address space
  else
    (ulimit -v 150000 && exec timeout 20 $command) >out.txt 2>err.txt
    if [ $? -eq 124 ]; then echo "$command: hangs"; else echo "$command: ends"; fi
  fi
done
# How much was needed, what for and what to do. The numbers differ from machine to machine.
awk 'BEGIN { print "a,b,c,d,y"; for (i = 0; i < 300000; i++) print i % 7 "," i % 11 "," i % 13 "," i % 17 "," i % 19 }' >long.csv
head -3 long.csv >head.csv
tail -2 long.csv >>head.csv
linpred fit regression head.csv --quiet -o head.json >out.txt
for command in "fit regression long.csv" "inspect long.csv" "predict head.json long.csv" "evaluate head.json long.csv"; do
  echo "linpred $command"
  if ldd "$(command -v linpred)" | grep -qE 'lib[at]san'; then
    echo "linpred: out of memory while reading long.csv: … more were needed, beside … in use, with a limit of … on address space (ulimit -v)"
  else
    # As little as the program itself needs, and a little more.
    for limit in $(seq 40000 4000 120000); do
      timeout 60 bash -c "ulimit -v $limit && exec linpred $command --threads 1" >out.txt 2>err.txt
      if grep -q 'out of memory while' err.txt; then break; fi
    done
    sed -E 's/[0-9.]+ ([kM]B|bytes)/…/g; s/ on address space \(ulimit -v\);.*/ on address space (ulimit -v)/' err.txt
  fi
done
