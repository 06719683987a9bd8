// A sender of remote write 2.0: writes series at a time and 10 s later, and prints how many samples and histograms
// the server says that it took. Arguments: the server's address and the time in seconds; PEERLENS_TOKEN is the token.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"github.com/prometheus/client_golang/exp/api/remote"
	writev2 "github.com/prometheus/client_golang/exp/api/remote/genproto/v2"
)

type signed struct{}

func (signed) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PEERLENS_TOKEN"))
	return http.DefaultTransport.RoundTrip(request)
}

// request has two counters, one of which has no name of a counter, a gauge, and a native histogram.
func request(millis int64, orders, visits, temperature float64, seconds *writev2.Histogram) *writev2.Request {
	symbols := writev2.NewSymbolTable()
	series := func(kind writev2.Metadata_MetricType, name string, labels ...string) *writev2.TimeSeries {
		all := append([]string{"__name__", name, "instance", "web-1:9100", "job", "shop2"}, labels...)
		return &writev2.TimeSeries{
			LabelsRefs: symbols.SymbolizeLabels(all, nil),
			Metadata:   &writev2.Metadata{Type: kind},
		}
	}
	sample := func(of *writev2.TimeSeries, value float64) *writev2.TimeSeries {
		of.Samples = []*writev2.Sample{{Value: value, Timestamp: millis}}
		return of
	}
	seconds.Timestamp = millis
	distributed := series(writev2.Metadata_METRIC_TYPE_HISTOGRAM, "shop_seconds")
	distributed.Histograms = []*writev2.Histogram{seconds}
	all := []*writev2.TimeSeries{
		sample(series(writev2.Metadata_METRIC_TYPE_COUNTER, "shop_orders_total", "branch", "Berlin"), orders),
		sample(series(writev2.Metadata_METRIC_TYPE_COUNTER, "shop_visits"), visits),
		sample(series(writev2.Metadata_METRIC_TYPE_GAUGE, "shop_temperature"), temperature),
		distributed,
	}
	return &writev2.Request{Symbols: symbols.Symbols(), Timeseries: all}
}

// histogram counts values from 1 to 2, and from 2 to 4.
func histogram(sum float64, low, high int64) *writev2.Histogram {
	return &writev2.Histogram{
		Count:          &writev2.Histogram_CountInt{CountInt: uint64(low + high)},
		ZeroCount:      &writev2.Histogram_ZeroCountInt{},
		Sum:            sum,
		PositiveSpans:  []*writev2.BucketSpan{{Offset: 1, Length: 2}},
		PositiveDeltas: []int64{low, high - low},
	}
}

func run(address string, start int64) error {
	api, err := remote.NewAPI(address, remote.WithAPIHTTPClient(&http.Client{Transport: signed{}}))
	if err != nil {
		return err
	}
	samples, histograms := 0, 0
	for _, each := range []*writev2.Request{
		request(start*1000, 17, 1000, -4.5, histogram(7.5, 3, 1)),
		request(start*1000+10000, 47, 1250, 21.25, histogram(32.5, 5, 7)),
	} {
		stats, err := api.Write(context.Background(), remote.WriteV2MessageType, each)
		if err != nil {
			return err
		}
		samples += stats.Samples
		histograms += stats.Histograms
	}
	fmt.Println(samples, "samples and", histograms, "histograms")
	return nil
}

func main() {
	start, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err == nil {
		err = run(os.Args[1], start)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
