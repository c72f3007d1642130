// The first process of a machine, see init_linux_amd64.go.

#include "textflag.h"

// Offsets of the words of one operation; type op in program.go has the same
// order.
#define OP_CALL 0
#define OP_ARG0 8
#define OP_ARG1 16
#define OP_ARG2 24
#define OP_ARG3 32
#define OP_ARG4 40
#define OP_ARG5 48
#define OP_STORE 56
#define OP_EQUAL 64
#define OP_THEN 72
#define OP_EQUAL2 80
#define OP_THEN2 88
#define OP_TOLERATE 96
#define OP_STORE2 104
#define OP_SIZE 112

// Addresses of the report block and of the first operation (layout in
// init_linux_amd64.go).
#define BLOCK 0x10010000
#define FIRST 0x10010400
#define BLOCK_FAILED_OP 8
#define BLOCK_FAILED_RESULT 16
#define FAILURE 0x10010200

// interpret runs the operations one after the other and never returns. It is
// never called in this process: its bytes become the text of another
// executable, so that it refers to no symbol and needs no stack.
//
// R12 is the current operation. A result between -4095 and -1 is an error.
TEXT interpret<>(SB), NOSPLIT|NOFRAME, $0
	MOVQ	$FIRST, R12
run:
	MOVQ	OP_CALL(R12), AX
	MOVQ	OP_ARG0(R12), DI
	MOVQ	OP_ARG1(R12), SI
	MOVQ	OP_ARG2(R12), DX
	MOVQ	OP_ARG3(R12), R10
	MOVQ	OP_ARG4(R12), R8
	MOVQ	OP_ARG5(R12), R9
	SYSCALL
	MOVQ	OP_STORE(R12), BX
	MOVQ	AX, (BX)
	MOVQ	OP_STORE2(R12), BX
	MOVQ	AX, (BX)
	CMPQ	AX, OP_EQUAL(R12)
	JEQ	first
	CMPQ	AX, OP_EQUAL2(R12)
	JEQ	second
	CMPQ	AX, $-4095
	JCC	failed
next:
	ADDQ	$OP_SIZE, R12
	JMP	run
first:
	MOVQ	OP_THEN(R12), R12
	JMP	run
second:
	MOVQ	OP_THEN2(R12), R12
	JMP	run
failed:
	CMPQ	AX, OP_TOLERATE(R12)
	JEQ	next
	CMPQ	OP_TOLERATE(R12), $1
	JEQ	next
	MOVQ	$BLOCK, BX
	MOVQ	R12, BLOCK_FAILED_OP(BX)
	MOVQ	AX, BLOCK_FAILED_RESULT(BX)
	MOVQ	$FAILURE, R12
	JMP	run
	// The end mark that interpreterText looks for: "\xfepodium\xff".
	BYTE $0xfe; BYTE $0x70; BYTE $0x6f; BYTE $0x64
	BYTE $0x69; BYTE $0x75; BYTE $0x6d; BYTE $0xff

// func interpreterStart() *byte
TEXT ·interpreterStart(SB), NOSPLIT, $0-8
	LEAQ	interpret<>(SB), AX
	MOVQ	AX, ret+0(FP)
	RET
