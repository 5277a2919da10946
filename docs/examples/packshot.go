// Edits one photo, or receives webhooks, with nothing but Go's standard library.
//
//	PACKSHOT_URL=https://packshot.example PACKSHOT_KEY=ps_live_… go run packshot.go edit mug.jpg mug.png
//	PACKSHOT_WEBHOOK_SECRET=whsec_… PORT=3000 go run packshot.go receive
//
// Run the first again after an interruption: its Idempotency-Key follows from the photo, so that it finds the same job as long as
// that is kept (an hour), and pays once. Register the second one's address with `POST /v1/webhooks`; the secret is in the response.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	triesMax     = 5
	editsMax     = 3
	bodyBytesMax = 1_000_000
	ageMax       = 5 * time.Minute
	jobTimeMax   = 5 * time.Minute
)

// What may succeed when it is sent again. 502 and 504 are those of proxies.
var retryable = []int{408, 429, 500, 502, 503, 504}
var client = &http.Client{Timeout: 90 * time.Second}

// A job, or the body of an error response: then Code says what is wrong.
type answer struct {
	Id, Status, ResultUrl, Code, Message string
	Report                               struct{ Quality string }
	Error                                *struct {
		Code, Message string
		Retryable     bool
	}
}

// call sends again what was lost, and what was refused for a passing reason. Whether a lost request had arrived is not known: its
// Idempotency-Key makes it safe to send it again.
func call(method, path string, body []byte, headers map[string]string) answer {
	for try := 1; ; try++ {
		request, err := http.NewRequest(method, os.Getenv("PACKSHOT_URL")+path, bytes.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PACKSHOT_KEY"))
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		delay := time.Second << try
		response, err := client.Do(request)
		if err == nil {
			var read answer
			err = json.NewDecoder(response.Body).Decode(&read)
			response.Body.Close()
			if err == nil && !slices.Contains(retryable, response.StatusCode) {
				return read
			}
			if seconds, notSeconds := strconv.Atoi(response.Header.Get("Retry-After")); notSeconds == nil {
				delay = time.Duration(seconds) * time.Second
			}
			if err == nil {
				err = fmt.Errorf("%s: %s", read.Code, read.Message)
			}
		}
		if try == triesMax {
			log.Fatal(err)
		}
		time.Sleep(delay)
	}
}

func formOf(path string, photo []byte) ([]byte, string) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("metadata.photo", filepath.Base(path))
	form.WriteField("output.format", "png")
	part, _ := form.CreateFormFile("image", filepath.Base(path))
	part.Write(photo)
	form.Close()
	return body.Bytes(), form.FormDataContentType()
}

func edit(photoPath, resultPath string) {
	photo, err := os.ReadFile(photoPath)
	if err != nil {
		log.Fatal(err)
	}
	body, contentType := formOf(photoPath, photo)
	var job answer
	// A key has the same job for a day, also one that has failed or expired: another edit needs another key.
	for number := 1; number <= editsMax; number++ {
		key := fmt.Sprintf("mask-%x-%d", sha256.Sum256(photo), number)
		// The response waits for the end of the job, or for a minute.
		wait := map[string]string{"Prefer": "wait=60", "Idempotency-Key": key, "Content-Type": contentType}
		job = call("POST", "/v1/tools/mask/edit", body, wait)
		for started := time.Now(); job.Status == "queued" || job.Status == "processing"; {
			if time.Since(started) > jobTimeMax {
				log.Fatalf("%s has not ended after %s", job.Id, jobTimeMax)
			}
			job = call("GET", "/v1/jobs/"+job.Id, nil, map[string]string{"Prefer": "wait=60"})
		}
		if job.Code != "job_expired" && (job.Error == nil || !job.Error.Retryable) {
			break
		}
	}
	if job.Code != "" {
		log.Fatalf("%s: %s", job.Code, job.Message)
	}
	if job.Status != "completed" {
		log.Fatalf("%s: %+v", job.Status, job.Error)
	}
	response, err := http.Get(job.ResultUrl)
	if err != nil || response.StatusCode != 200 {
		log.Fatal("the result cannot be fetched: ", response, err)
	}
	defer response.Body.Close()
	file, err := os.Create(resultPath)
	if err == nil {
		_, err = io.Copy(file, response.Body)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Id, job.Report.Quality, resultPath)
}

// isSigned follows Standard Webhooks: an HMAC of id, time and body. The header has one for each secret that is valid.
func isSigned(body []byte, headers http.Header, secret []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	// An old request may be one that somebody has recorded.
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > ageMax {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.ContainsFunc(strings.Fields(headers.Get("webhook-signature")), func(each string) bool {
		return hmac.Equal([]byte(each), []byte(expected))
	})
}

func receive() {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("PACKSHOT_WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(secret) == 0 {
		log.Fatal("PACKSHOT_WEBHOOK_SECRET is no secret of a webhook, whsec_…")
	}
	// Ids of events that were handled. A receiver with several processes keeps them in a database, for some hours.
	var handled sync.Map
	http.HandleFunc("POST /", func(response http.ResponseWriter, request *http.Request) {
		// The signature covers the bytes as they arrived, so the body is parsed after it is verified.
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err != nil || !isSigned(body, request.Header, secret) {
			fmt.Println("refused")
			response.WriteHeader(400)
			return
		}
		var event struct {
			Event, EventId string
			Data           answer
		}
		if err := json.Unmarshal(body, &event); err != nil {
			log.Fatal(err)
		}
		// Delivery is at least once: answer 2xx to an event that was handled before, and do its work once.
		if _, wasHandled := handled.LoadOrStore(event.EventId, true); !wasHandled {
			fmt.Println(event.Event, event.Data.Id, event.Data.ResultUrl)
		}
		response.WriteHeader(204)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening {\"port\": %d}\n", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}

func main() {
	log.SetFlags(0)
	switch {
	case len(os.Args) == 4 && os.Args[1] == "edit":
		edit(os.Args[2], os.Args[3])
	case len(os.Args) == 2 && os.Args[1] == "receive":
		receive()
	default:
		log.Fatal("usage: packshot.go edit PHOTO RESULT, or packshot.go receive")
	}
}
