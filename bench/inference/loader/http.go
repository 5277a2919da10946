package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const connectionsMax = 64

type httpSender struct {
	client *http.Client
	url    string
	kind   string
	body   []byte
	least  int64
}

func dialHTTP(url string, side int, inJSON bool) sender {
	image := bytes.Repeat([]byte{120}, side*side*3)
	transport := &http.Transport{MaxIdleConnsPerHost: connectionsMax, MaxConnsPerHost: connectionsMax}
	to := &httpSender{&http.Client{Transport: transport}, url, "application/octet-stream", image, int64(side * side)}
	if inJSON {
		to.kind = "application/json"
		to.body, _ = json.Marshal(map[string]string{"image": base64.StdEncoding.EncodeToString(image)})
	}
	return to
}

func (s *httpSender) send(ctx context.Context, _ string, _ time.Time) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(s.body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", s.kind)
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	size, err := io.Copy(io.Discard, response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || size < s.least) {
		err = fmt.Errorf("status %d with %d bytes", response.StatusCode, size)
	}
	return err
}
