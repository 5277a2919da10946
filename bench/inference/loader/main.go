// Command loader puts load on a model server and takes little of the processor itself: about a sixth of what a Node
// client needs for an image, which on two cores would disturb the measurement.
//
//	loader grpc ADDRESS MODEL SIDE    Open Inference Protocol v2, one stream for everything, as Packshot's worker does
//	loader http URL SIDE raw|json     the image's bytes as the body, or inside JSON as base64
//
// Commands come as JSON lines on stdin and are executed concurrently; each result is a JSON line on stdout.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
	"time"
)

type command struct {
	ID int `json:"id"`
	// "once"; "closed": so many at once; "open": Poisson arrivals, whether or not answers keep up.
	Kind        string  `json:"kind"`
	Tenant      string  `json:"tenant"`
	Concurrency int     `json:"concurrency"`
	PerSecond   float64 `json:"perSecond"`
	WindowMs    float64 `json:"windowMs"`
	PatienceMs  float64 `json:"patienceMs"`
	Seed        uint32  `json:"seed"`
}

type result struct {
	ID      int       `json:"id"`
	TimesMs []float64 `json:"timesMs"`
	Refused int       `json:"refused"`
	// Answered after their deadline; their times are among the others.
	Late int `json:"late"`
	// Answered, but after the window: they count nowhere else.
	AfterWindow  int     `json:"afterWindow"`
	LastAnswerMs float64 `json:"lastAnswerMs"`
	// What the last refusal said.
	Why string `json:"why,omitempty"`
}

// sender sends one image and waits for its matte.
type sender interface {
	send(ctx context.Context, tenant string, deadline time.Time) error
}

func main() {
	target, err := dial(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var out sync.Mutex
	answers := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var given command
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		go func() {
			done := execute(target, given)
			out.Lock()
			defer out.Unlock()
			answers.Encode(done)
		}()
	}
}

func dial(args []string) (sender, error) {
	if len(args) == 5 && args[0] == "grpc" {
		side, sideErr := strconv.Atoi(args[3])
		channels, channelsErr := strconv.Atoi(args[4])
		if sideErr == nil && channelsErr == nil {
			return dialGrpc(args[1], args[2], side, channels)
		}
	}
	if len(args) == 4 && args[0] == "http" {
		side, err := strconv.Atoi(args[2])
		if err == nil {
			return dialHTTP(args[1], side, args[3] == "json"), nil
		}
	}
	return nil, fmt.Errorf("usage: loader grpc ADDRESS MODEL SIDE CHANNELS | loader http URL SIDE raw|json")
}

func execute(target sender, given command) result {
	taken := &tally{command: given, startedAt: time.Now()}
	taken.TimesMs, taken.ID = []float64{}, given.ID
	var running sync.WaitGroup
	switch given.Kind {
	case "once":
		taken.one(target)
	case "closed":
		for range given.Concurrency {
			running.Go(func() {
				for taken.sinceMs() < given.WindowMs {
					taken.one(target)
				}
			})
		}
	case "open":
		state := given.Seed
		for nextMs := 0.0; nextMs < given.WindowMs; {
			if wait := nextMs - taken.sinceMs(); wait > 0 {
				time.Sleep(time.Duration(wait * float64(time.Millisecond)))
			}
			running.Go(func() { taken.one(target) })
			state = state*1_664_525 + 1_013_904_223
			nextMs += -math.Log((float64(state)+1)/(1<<32)) * 1_000 / given.PerSecond
		}
	}
	running.Wait()
	return taken.result
}

type tally struct {
	result
	command   command
	startedAt time.Time
	lock      sync.Mutex
}

func (t *tally) sinceMs() float64 {
	return float64(time.Since(t.startedAt)) / float64(time.Millisecond)
}

func (t *tally) one(target sender) {
	at := time.Now()
	deadline := at.Add(time.Duration(t.command.PatienceMs * float64(time.Millisecond)))
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	err := target.send(ctx, t.command.Tenant, deadline)
	cancel()
	ended := time.Now()
	t.lock.Lock()
	defer t.lock.Unlock()
	sinceMs := t.sinceMs()
	switch {
	case t.command.Kind == "closed" && sinceMs > t.command.WindowMs:
		if err == nil {
			t.AfterWindow++
		}
	case err != nil:
		t.Refused++
		t.Why = err.Error()
	default:
		t.TimesMs = append(t.TimesMs, float64(ended.Sub(at))/float64(time.Millisecond))
		t.LastAnswerMs = sinceMs
		if ended.After(deadline) {
			t.Late++
		}
	}
}
