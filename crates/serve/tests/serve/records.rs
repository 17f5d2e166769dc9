//! Records of games, read and written.

use std::fs;

use serde_json::json;

use crate::fixture::Fixture;

const KIF: &str = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";

#[tokio::test]
async fn a_record_is_written_listed_and_read_as_it_is() {
    let server = Fixture::start().await;
    assert_eq!(server.json("/api/records").await, json!([]));
    let path = "/api/record?path=2024/%E5%90%8D%E4%BA%BA%E6%88%A6%201.kifu";
    let write = |extra: &str| {
        let (server, path) = (&server, format!("{path}{extra}"));
        async move { server.request("PUT", &path, "", KIF.as_bytes()).await }
    };
    assert_eq!(write("").await.status, 201);
    assert_eq!(server.get(path).await.text(), KIF);
    let taken = write("").await;
    assert_eq!((taken.status, &taken.json()["value"]), (409, &json!("2024/名人戦 1.kifu")));
    assert_eq!(write("&replace=true").await.status, 201);
    fs::write(server.records.join("notes.txt"), "no record").unwrap();
    let list = server.json("/api/records").await;
    assert_eq!((list.as_array().unwrap().len(), &list[0]["folder"]), (1, &json!(true)));
    let list = server.json("/api/records?folder=2024").await;
    assert_eq!(
        (&list[0]["path"], &list[0]["bytes"]),
        (&json!("2024/名人戦 1.kifu"), &json!(KIF.len()))
    );
}

#[tokio::test]
async fn what_is_no_record_is_refused_with_its_line() {
    let server = Fixture::start().await;
    let text = KIF.replace("７六歩(77)", "７五歩(77)");
    let answer = server.request("PUT", "/api/record?path=a.kif", "", text.as_bytes()).await;
    assert_eq!(answer.status, 422);
    assert!(answer.json()["detail"].as_str().unwrap().contains("line 2"), "{}", answer.text());
    for name in ["a.exe", "a", ".a.kif", "a..", "%2e%2e/a.kif", "a.kif/b.kif/"] {
        let answer =
            server.request("PUT", &format!("/api/record?path={name}"), "", KIF.as_bytes()).await;
        assert_eq!(answer.status, 422, "{name}");
    }
    assert_eq!(fs::read_dir(&server.records).unwrap().count(), 0);
}

#[tokio::test]
async fn a_server_without_a_folder_of_records_says_so() {
    let server = Fixture::with(|settings| settings.records = None).await;
    let answer = server.get("/api/records").await;
    assert_eq!(answer.status, 404);
    assert!(answer.json()["detail"].as_str().unwrap().contains("--records"));
}
