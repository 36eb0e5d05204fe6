# A float64 matrix of 4 x 3, written by hand: magic, version 1.0, header length, header, numbers.
{
  header="{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }"
  printf '\x93NUMPY\x01\x00\x76\x00'
  printf '%-117s\n' "$header"
  one='\x00\x00\x00\x00\x00\x00\xf0\x3f' two='\x00\x00\x00\x00\x00\x00\x00\x40'
  minus='\x00\x00\x00\x00\x00\x00\xf0\xbf' none='\x00\x00\x00\x00\x00\x00\x00\x00'
  # shellcheck disable=SC2059
  printf "$two$one$one$one$two$one$minus$none$minus$none$minus$minus"
} >d.npy
printf '%s\n' x1,x2,x3 2,1,1 1,2,1 -1,0,-1 0,-1,-1 >d.csv
run linpred inspect d.npy
run linpred fit halfspace d.npy -o npy.json
run linpred fit halfspace d.csv -o csv.json --quiet
same <(weights_of csv.json) <(weights_of npy.json) "weights from CSV and npy"
run linpred verify npy.json d.csv
gzip -k d.npy
run_line 'linpred fit halfspace d.npy.gz --json | json_check outcome rows coefficients'
run_line 'linpred fit halfspace - -t 3 --json <d.npy | json_check outcome rows coefficients'
