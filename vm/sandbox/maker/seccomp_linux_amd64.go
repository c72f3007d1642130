package maker

const sysSeccomp = 317
