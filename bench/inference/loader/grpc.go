package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of proto/open_inference.proto. Requests are written by hand, because all but their head is the same.
const (
	fieldModel, fieldID, fieldParameters, fieldInputs, fieldRaw = 1, 3, 4, 5, 7
	fieldError, fieldResponse, fieldResponseID                  = 1, 2, 3

	windowBytes = 8 << 20
	method      = "/inference.GRPCInferenceService/ModelStreamInfer"
)

type grpcSender struct {
	stream  grpc.ClientStream
	model   string
	tail    []byte
	sending sync.Mutex // separate, because answers must be read while a send waits for the server
	lock    sync.Mutex
	lastID  int
	waiting map[string]chan error
}

func dialGrpc(address, model string, side, channels int) (sender, error) {
	connection, err := grpc.NewClient("passthrough:///"+address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithInitialWindowSize(windowBytes), grpc.WithInitialConnWindowSize(2*windowBytes),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(plain{}), grpc.MaxCallRecvMsgSize(windowBytes)))
	if err != nil {
		return nil, err
	}
	description := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := connection.NewStream(context.Background(), description, method, grpc.WaitForReady(true))
	if err != nil {
		return nil, err
	}
	to := &grpcSender{stream: stream, model: model, tail: tailOf(side, channels), waiting: map[string]chan error{}}
	go to.read()
	return to, nil
}

// tailOf is the image: an input "image" of [1, side, side, channels] bytes.
func tailOf(side, channels int) []byte {
	shape := protowire.AppendVarint(nil, 1)
	for _, size := range []int{side, side, channels} {
		shape = protowire.AppendVarint(shape, uint64(size))
	}
	input := text(text(nil, 1, "image"), 2, "UINT8")
	input = text(input, 3, string(shape))
	image := make([]byte, side*side*channels)
	for i := range image {
		image[i] = 120
	}
	return text(text(nil, fieldInputs, string(input)), fieldRaw, string(image))
}

func text(to []byte, field protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(to, field, protowire.BytesType), value)
}

func (s *grpcSender) head(id string, parameters map[string][]byte) []byte {
	head := text(text(nil, fieldModel, s.model), fieldID, id)
	for name, value := range parameters {
		head = text(head, fieldParameters, string(text(text(nil, 1, name), 2, string(value))))
	}
	return head
}

func integer(field protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), value)
}

func (s *grpcSender) send(ctx context.Context, tenant string, deadline time.Time) error {
	answer := make(chan error, 1)
	s.lock.Lock()
	s.lastID++
	id := strconv.Itoa(s.lastID)
	s.waiting[id] = answer
	s.lock.Unlock()
	head := s.head(id, map[string][]byte{
		"tenant":      text(nil, 3, tenant),
		"deadline_ms": integer(2, uint64(deadline.UnixMilli())),
	})
	if err := s.write(mem.BufferSlice{mem.SliceBuffer(head), mem.SliceBuffer(s.tail)}); err != nil {
		return err
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		// Cancelled, as the worker's client does.
		s.lock.Lock()
		delete(s.waiting, id)
		s.lock.Unlock()
		cancel := s.head(id, map[string][]byte{"packshot_cancel": integer(1, 1)})
		return errors.Join(ctx.Err(), s.write(mem.BufferSlice{mem.SliceBuffer(cancel)}))
	}
}

func (s *grpcSender) write(message mem.BufferSlice) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.stream.SendMsg(message)
}

func (s *grpcSender) read() {
	for {
		var message []byte
		if err := s.stream.RecvMsg(&message); err != nil {
			s.lock.Lock()
			defer s.lock.Unlock()
			for _, answer := range s.waiting {
				answer <- err
			}
			return
		}
		id, failure := outcomeOf(message)
		s.lock.Lock()
		if answer, waits := s.waiting[id]; waits {
			answer <- failure
			delete(s.waiting, id)
		}
		s.lock.Unlock()
	}
}

// outcomeOf reads the request's id and what went wrong, if anything, out of a ModelStreamInferResponse.
func outcomeOf(message []byte) (id string, failure error) {
	each(message, func(field protowire.Number, value []byte) {
		switch field {
		case fieldError:
			failure = fmt.Errorf("refused: %s", value)
		case fieldResponse:
			each(value, func(field protowire.Number, value []byte) {
				if field == fieldResponseID {
					id = string(value)
				}
			})
		}
	})
	return id, failure
}

// each visits the length-delimited fields.
func each(message []byte, visit func(field protowire.Number, value []byte)) {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return
		}
		message = message[n:]
		if kind == protowire.BytesType {
			value, n := protowire.ConsumeBytes(message)
			if n < 0 {
				return
			}
			visit(field, value)
		}
		n = protowire.ConsumeFieldValue(field, kind, message)
		if n < 0 {
			return
		}
		message = message[n:]
	}
}

// plain hands messages over as the bytes that they are.
type plain struct{}

func (plain) Name() string { return "proto" }

func (plain) Marshal(message any) (mem.BufferSlice, error) { return message.(mem.BufferSlice), nil }

func (plain) Unmarshal(data mem.BufferSlice, into any) error {
	*into.(*[]byte) = data.Materialize()
	return nil
}
