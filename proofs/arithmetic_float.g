# statement: a sum of floats is off by u times itself, and so is any other result that is a normal number
# place: all of src, the OpenCL kernels; docs/wide.md, Why no pair is lost
# constant: TMB_FLOAT_ROUNDING
@rnd = float<ieee_32, ne>;
x = rnd(x_);
y = rnd(y_);
{ |p| in [0x1p-125, 0x1p127] ->
  rnd(x + y) -/ (x + y) in [-@TMB_FLOAT_ROUNDING@, @TMB_FLOAT_ROUNDING@]
  /\ rnd(p) -/ p in [-@TMB_FLOAT_ROUNDING@, @TMB_FLOAT_ROUNDING@] }
