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
