// --- reverse
func reverse(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}
// --- read file
func countLines(path string) (int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("count lines: %w", err)
	}
	return bytes.Count(data, []byte("\n")), nil
}
// --- worker
func work(jobs <-chan int, results chan<- int, wait *sync.WaitGroup) {
	defer wait.Done()
	for job := range jobs {
		results <- job * job
	}
}
// --- shape
type Shape interface {
	Area() float64
}

type Circle struct {
	Radius float64
}

func (c Circle) Area() float64 {
	return math.Pi * c.Radius * c.Radius
}
// --- counter
type Counter struct {
	mu    sync.Mutex
	count map[string]int
}

func (c *Counter) Add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[key]++
}
// --- generic map
func Map[T, U any](items []T, change func(T) U) []U {
	changed := make([]U, 0, len(items))
	for _, item := range items {
		changed = append(changed, change(item))
	}
	return changed
}
// --- handler
func hello(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	if name == "" {
		http.Error(w, "name is missing", http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "Hello, %s!\n", name)
}
// --- timeout
func fetch(ctx context.Context, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(request)
}
// --- select
func wait(done <-chan struct{}, limit time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(limit):
		return false
	}
}
// --- sort
func byAge(people []Person) {
	sort.Slice(people, func(i, j int) bool {
		if people[i].Age == people[j].Age {
			return people[i].Name < people[j].Name
		}
		return people[i].Age < people[j].Age
	})
}
// --- table test
func TestAbs(t *testing.T) {
	cases := map[int]int{-2: 2, 0: 0, 3: 3}
	for given, wanted := range cases {
		if got := Abs(given); got != wanted {
			t.Errorf("Abs(%d) = %d, not %d", given, got, wanted)
		}
	}
}
// --- scanner
func longest(r io.Reader) (string, error) {
	best := ""
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		if line := scanner.Text(); len(line) > len(best) {
			best = line
		}
	}
	return best, scanner.Err()
}
