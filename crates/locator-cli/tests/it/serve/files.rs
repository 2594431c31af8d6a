//! `--files DIR`: the directory, nothing else, and only with the key.

use std::fs;

use crate::serve::gateway::{Gateway, folder};

fn url(path: &std::path::Path) -> String {
    format!("file://{}", path.to_str().unwrap())
}

#[test]
fn files_of_a_directory() {
    let folder = folder("files");
    let (inside, outside) = (folder.join("in"), folder.join("out"));
    fs::create_dir_all(inside.join("sub")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(inside.join("a.txt"), "inside\n").unwrap();
    fs::write(outside.join("b.txt"), "outside\n").unwrap();
    let gateway = Gateway::start(&["--files", inside.to_str().unwrap()]);
    let raw = |url: &str| gateway.get(&gateway.path("raw", url));
    let file = raw(&url(&inside.join("a.txt")));
    assert_eq!((file.status, &*file.body), (200, &b"inside\n"[..]));
    assert_eq!(raw(&url(&inside.join("a.txt")).replace("file://", "file://localhost")).status, 200);
    assert!(raw(&url(&inside)).text().contains("a.txt"));
    assert_eq!(raw(&url(&inside.join("none"))).status, 404);
    for path in ["/etc/passwd", "/", "/no/such/file", outside.join("b.txt").to_str().unwrap()] {
        assert_eq!(raw(&format!("file://{path}")).status, 403, "{path}");
    }
    for path in ["sub/../../out/b.txt", "%2e%2e/out/b.txt", "..%2fout%2fb.txt", "sub%2F..%2F..%2Fout%2Fb.txt"]
    {
        let response = raw(&format!("{}/{path}", url(&inside)));
        assert!(matches!(response.status, 400 | 403 | 404), "{path}: {}", response.status);
        assert!(!response.text().contains("outside\n"));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.join("b.txt"), inside.join("link")).unwrap();
        std::os::unix::fs::symlink("/etc", inside.join("etc")).unwrap();
        assert_eq!(raw(&url(&inside.join("link"))).status, 403);
        assert_eq!(raw(&url(&inside.join("etc/passwd"))).status, 403);
    }
    // A server of another machine has the same path.
    assert!(matches!(
        raw(&url(&inside.join("a.txt")).replace("file://", "file://example.com")).status,
        400 | 403
    ));
    let path = gateway.path("raw", &url(&inside.join("a.txt")));
    let without_key = &path[gateway.root().len() - 1..];
    assert_eq!(gateway.get(without_key).status, 404);
}

/// A directory that becomes a symbolic link, and back, while files in it are asked for.
#[cfg(target_os = "linux")]
#[test]
fn no_race_of_symbolic_links_leads_out() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let folder = folder("files-race");
    let (inside, outside) = (folder.join("in"), folder.join("out"));
    let (place, aside, link) = (inside.join("d"), inside.join("aside"), inside.join("link"));
    fs::create_dir_all(&place).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(place.join("a.txt"), "inside\n").unwrap();
    fs::write(outside.join("a.txt"), "outside\n").unwrap();
    fs::write(outside.join("secret"), "outside\n").unwrap();
    let gateway = Gateway::start(&["--files", inside.to_str().unwrap()]);
    let page = gateway.get(&gateway.path("u", &url(&place)));
    assert!(page.text().contains("d%2Fa.txt") && !page.text().contains("proc"), "{}", page.text());
    let (ends, mut found) = (AtomicBool::new(false), 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ends.load(Ordering::Relaxed) {
                std::os::unix::fs::symlink(&outside, &link).unwrap();
                fs::rename(&place, &aside).unwrap();
                fs::rename(&link, &place).unwrap();
                fs::remove_file(&place).unwrap();
                fs::rename(&aside, &place).unwrap();
            }
        });
        let said: Vec<_> = (0..300)
            .map(|_| {
                let file = gateway.get(&gateway.path("raw", &url(&place.join("a.txt"))));
                let listing = gateway.get(&gateway.path("raw", &url(&place)));
                (file.status, file.text(), listing.text())
            })
            .collect();
        ends.store(true, Ordering::Relaxed);
        for (status, file, listing) in said {
            assert!(!file.contains("outside\n") && !listing.contains("secret"), "{status}");
            found += usize::from(status == 200);
        }
    });
    assert!(found > 0);
}
